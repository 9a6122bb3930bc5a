import { system } from '../../src/platform/db/system.ts'
import { sendDueSimulatedCallbacks } from '../../src/voice/calls/simulation.ts'
import type { TestApp } from './app.ts'
import { runAsOwner } from './database.ts'

/** The time `ms` milliseconds after the last dialed call, in Unix milliseconds. */
export async function sinceDialed({ databaseUrl }: TestApp, ms: number): Promise<number> {
  const [last] = await runAsOwner<{ at: number }>(
    databaseUrl,
    'select max(extract(epoch from dialed_at) * 1000)::float8 as at from simulated_call',
  )
  return last!.at + ms
}

/** Moves the simulator to `ms` milliseconds after the last dialed call, independently of the clock. */
export async function simulateUntil(app: TestApp, ms: number): Promise<void> {
  await sendDueSimulatedCallbacks(
    system(app.app.context.database),
    app.app.context,
    await sinceDialed(app, ms),
  )
}
