import { firstOfAreas } from '../support/first-of-areas.ts'
import { testOtherOrganizations, withIds } from './each-id.ts'

const firsts = firstOfAreas(withIds)
await testOtherOrganizations(withIds.filter((each) => !firsts.includes(each)))
