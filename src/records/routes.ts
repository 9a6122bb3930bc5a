import type { Endpoint } from '../platform/http/endpoint.ts'
import { archiveEndpoint, restoreEndpoint } from './endpoints/archive.ts'
import { batchEndpoint } from './endpoints/batch.ts'
import { batchReadEndpoint } from './endpoints/batch-read.ts'
import { changeEndpoint } from './endpoints/change.ts'
import { createEndpoint } from './endpoints/create.ts'
import { eraseEndpoint } from './endpoints/erase.ts'
import { exportEndpoint } from './endpoints/export.ts'
import { listEndpoint } from './endpoints/list.ts'
import { readEndpoint } from './endpoints/read.ts'
import { searchEndpoint } from './endpoints/search.ts'
import { upsertEndpoint } from './endpoints/upsert.ts'
import type { ErasableType } from './record-type.ts'

/** All endpoints of a record type. */
export const recordEndpoints = (type: ErasableType): Endpoint[] => [
  listEndpoint(type),
  searchEndpoint(type),
  exportEndpoint(type),
  createEndpoint(type),
  readEndpoint(type),
  changeEndpoint(type),
  archiveEndpoint(type),
  restoreEndpoint(type),
  eraseEndpoint(type),
  upsertEndpoint(type),
  batchEndpoint(type),
  batchReadEndpoint(type),
]
