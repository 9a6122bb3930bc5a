const retryMs = 2_000

/** Whether the server would answer a reload of the page. Otherwise, the browser would replace the page by its own error page. */
export const isAnswered = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Resolves when the server answers again. */
export async function answersAgain(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, retryMs))
  while (!(await isAnswered()))
}

/** Loads the page again if the server answers. */
export async function reload(): Promise<void> {
  if (await isAnswered()) location.reload()
}
