/** The lowest id. Loops in id order start with it. */
export const minUuid = '00000000-0000-0000-0000-000000000000'
