/**
 * Waits until all promises have ended, so that no rejection stays unhandled. Returns their values.
 * @throws the reason of the first promise in the list that was rejected
 */
export async function waitForAll<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  return (await Promise.allSettled(promises)).map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}
