const offsets = new Map<string, number>()

/** Where a list was scrolled, in pixels. A person who comes back from a record finds the same rows. */
export const offsetOf = (list: string) => ({
  get: () => offsets.get(list) ?? 0,
  set: (offset: number) => void offsets.set(list, offset),
})
