type Page<Item> = PromiseLike<{ data: Item[]; pagination: { next_cursor: string | null } }>

const limit = 50

/**
 * The jobs of a list, newest first, that have one of these statuses. If the newest page is not the whole list, each
 * status is asked for: a job can run while many later ones end.
 * @param statuses in the order in which a job has them. So a job that moves on meanwhile is not missed.
 * @param newest the newest page, if the caller has it
 */
export async function unended<Item extends { status: string }, Status extends string>(
  list: (query: { limit: number; status?: Status }) => Page<Item>,
  statuses: readonly Status[],
  idOf: (item: Item) => string,
  newest: Page<Item> = list({ limit }),
): Promise<Item[]> {
  const { data, pagination } = await newest
  const found = new Map(data.map((item) => [idOf(item), item]))
  if (pagination.next_cursor !== null)
    for (const status of statuses)
      for (const item of (await list({ limit, status })).data) found.set(idOf(item), item)
  return [...found.values()].filter(({ status }) => statuses.some((one) => one === status))
}
