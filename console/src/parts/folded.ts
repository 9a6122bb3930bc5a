/**
 * A text for a comparison by its letters: without capitals and accents, so that “cafe” finds “Café”, and with straight
 * apostrophes, so that “O'Brien” finds “O’Brien”.
 */
export const folded = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
