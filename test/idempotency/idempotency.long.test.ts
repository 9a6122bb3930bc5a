import { testKeysOf, theOthers } from './each-endpoint.ts'

await testKeysOf(theOthers)
