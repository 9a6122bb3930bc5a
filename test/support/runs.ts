/** The number of runs: `few` in `npm test`, `all` in `npm run test:properties`. */
export const runs = (few: number, all: number): number => (process.env.PROPERTIES === 'all' ? all : few)
