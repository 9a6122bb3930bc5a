/** “contacts:read +2”, for a list without room. @param none the words for an empty list */
export const shortList = ([first = '', ...more]: readonly string[], none: string): string =>
  first === '' ? none : more.length > 0 ? `${first} +${more.length}` : first
