import { expect } from 'vitest'
import { identify } from './expected.ts'
import type { NaiveOrg } from './naive-org.ts'
import { type Fields, kinds } from './naive-rules.ts'
import { definedKeys, type OrgRequests } from './org-requests.ts'
import { entities } from './org-steps.ts'

/** Checks which active records a filter by each value of a defined field finds. */
export async function compareFilters(requests: OrgRequests, naive: NaiveOrg, history: string): Promise<void> {
  for (const entity of entities) {
    const active = Object.entries(naive.shown([entity])).filter(([, { archived }]) => !archived)
    for (const key of definedKeys)
      for (const value of [1, 2]) {
        const { body } = await requests.get(`${kinds[entity].path}?custom.${key}=${value}&limit=100`)
        const found = (body.data as Fields[]).map((each) => requests.nameOf(identify(each).id)!)
        const wanted = active.filter(([, { custom }]) => (custom as Fields)[key] === value)
        expect(found.sort(), `${history}custom.${key}=${value}`).toEqual(wanted.map(([name]) => name).sort())
      }
  }
}
