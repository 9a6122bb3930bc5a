/** The list with one of its items at another place. */
export const moveWithin = <Item>(list: readonly Item[], from: number, to: number): Item[] => {
  const others = list.toSpliced(from, 1)
  return others.toSpliced(Math.max(0, to), 0, ...list.slice(from, from + 1))
}
