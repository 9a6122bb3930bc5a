import { availableParallelism } from 'node:os'
import { z } from 'zod'

const countMax = 64
const fault = { error: `must be auto, or a whole number from 1 to ${countMax}` }

/** The setting API_PROCESSES. */
export const processCount = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z
    .union(
      [z.literal('auto', fault), z.coerce.number(fault).int(fault).min(1, fault).max(countMax, fault)],
      fault,
    )
    .optional(),
)

/** How many processes serve the API. `isAuto`: fewer start if the database has too few connections for them. */
export type ApiProcesses = { count: number; isAuto: boolean }

/** With `auto`, there is one process for each core that this process may use. */
export const apiProcessesOf = (setting: z.infer<typeof processCount>): ApiProcesses =>
  setting === 'auto'
    ? { count: Math.min(availableParallelism(), countMax), isAuto: true }
    : { count: setting ?? 1, isAuto: false }
