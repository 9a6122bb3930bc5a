// The server, without the counters of GET /usage.
import { RequestCounter } from '../../src/usage/counter.ts'

RequestCounter.prototype.note = () => {}
await import('../../src/main.ts')
