/** The number of records in a page of a list. */
export const pageSize = 100

export const keyOf = (orgId: string, mode: string, resource: string, asked: object): string =>
  JSON.stringify([orgId, mode, resource, asked])

/** Returns the list that was asked for early if it is the given one, once. */
export function takeEarly(asked: string): NonNullable<Window['early']>['list'] {
  const list = window.early?.list
  if (list) delete window.early?.list
  return list?.asked === asked ? list : undefined
}

/** Like `takeEarly`, but only if the answer is here. Otherwise, it can still be taken. */
export const answeredEarly = (asked: string): unknown =>
  window.early?.list?.answered === undefined ? undefined : (takeEarly(asked)?.answered ?? undefined)
