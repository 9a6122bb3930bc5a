import { expect } from 'vitest'
import type { Answer, TestApp, TestClient, TestOrg } from './app.ts'
import { runAsOwner } from './database.ts'
import { placeCall } from './place-call.ts'
import { simulateUntil } from './simulation.ts'

export const answeredNumber = '+12025550100'
export const ownNumber = '+14155550123'

/** Places a call to a number that the simulator answers. */
export const place = (org: TestClient, body: object = {}, key?: string): Promise<Answer> =>
  placeCall(org, { to_number: answeredNumber, ...body }, key)

export const simulatedCalls = (app: TestApp) => ({
  /** An org that may call: it has one number. */
  async caller(): Promise<TestOrg> {
    const org = await app.newOrg()
    expect((await org.post('/voice/numbers', { number: ownNumber })).status).toBe(201)
    return org
  },
  /** How many calls of an org reached the simulator. */
  async dials({ orgId }: TestOrg): Promise<number> {
    const text = 'select count(*)::int as dials from simulated_call where org_id = $1'
    const [row] = await runAsOwner<{ dials: number }>(app.databaseUrl, text, [orgId])
    return row!.dials
  },
  /** Moves the time to `ms` milliseconds after the last dialed call. */
  simulate: (ms: number): Promise<void> => simulateUntil(app, ms),
})
