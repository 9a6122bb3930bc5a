/**
 * The locale for dates and numbers: the first kind of English that the browser prefers, because the console is in
 * English.
 */
export const locale: string = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en'
