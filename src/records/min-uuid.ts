/** Sorts before every id: the start of a walk in id order. */
export const minUuid = '00000000-0000-0000-0000-000000000000'
