/**
 * How dates and numbers are written: as in the first kind of English that the browser prefers, because the words of the
 * console are English.
 */
export const locale: string = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en'
