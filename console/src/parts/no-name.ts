/** What the console shows in place of the name of a record that has none. */
export const noName = 'No name'
