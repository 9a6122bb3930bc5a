import type { Endpoint } from '../../src/platform/http/endpoint.ts'

const areaOf = (path: string) => path.split('/')[1]

/** The first endpoint of each area, such as `/contacts`, for tests that leave the other endpoints to `npm run test:long`. */
export function firstOfAreas(endpoints: readonly [string, Endpoint][]): [string, Endpoint][] {
  return endpoints.filter(
    ([, { path }], index) => endpoints.findIndex(([, each]) => areaOf(each.path) === areaOf(path)) === index,
  )
}
