/**
 * The locale for dates and numbers: the first kind of English that the browser prefers, because the console is in
 * English.
 */
export const locale: string = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en'

/** Makes a format when it is first used: one takes up to 10 ms on a slow computer, and a page uses few of them. */
export function whenUsed<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}
