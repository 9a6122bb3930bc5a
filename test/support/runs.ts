/** Whether this is `npm run test:properties`, which tries everything. */
export const isEverything: boolean = process.env.PROPERTIES === 'all'

/** The number of runs: `few` in `npm test`, `all` in `npm run test:properties`. */
export const runs = (few: number, all: number): number => (isEverything ? all : few)
