const pattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns whether a text is a whole id of an object. */
export const isId = (text: string): boolean => pattern.test(text)
