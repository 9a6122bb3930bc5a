import { someOfEachArea, testKeysOf } from './each-endpoint.ts'

// The other endpoints: idempotency.long.test.ts.
await testKeysOf(someOfEachArea)
