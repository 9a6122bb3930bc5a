/** Comes before every id: where whoever goes through records in the order of their ids begins. */
export const beforeAll = '00000000-0000-0000-0000-000000000000'
