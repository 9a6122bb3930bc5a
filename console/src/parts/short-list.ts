/**
 * For example “contacts:read +2”, for a list in a narrow place.
 * @param none the text for an empty list
 */
export const shortList = ([first = '', ...more]: readonly string[], none: string): string =>
  first === '' ? none : more.length > 0 ? `${first} +${more.length}` : first
