import { afterEach, expect } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { reconcileAll } from '../../src/voice/calls/reconcile.ts'
import type {
  CallbackReport,
  CallbackRequest,
  CallOrder,
  DispatchOutcome,
  Provider,
  ProviderCall,
} from '../../src/voice/providers/provider.ts'
import { BadSignature, CannotCancel, Unreachable } from '../../src/voice/providers/provider.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import type { Answer, TestApp, TestOrg } from './app.ts'
import { runAsOwner } from './database.ts'
import { placeCall } from './place-call.ts'

const credentials = { api_key: 'vapi-key-0001', assistant_id: 'a', phone_number_id: 'p' }

/** A provider in this process that records the calls which it should dial. */
export class CallProviderStandIn implements Provider {
  readonly orders: CallOrder[] = []
  readonly calls = new Map<string, ProviderCall>()
  /** Returns the outcome of each dispatch; by default it is accepted. */
  onDispatch: (order: CallOrder) => Promise<DispatchOutcome> | DispatchOutcome = (order) => this.take(order)
  isAway = false

  take({ callId }: CallOrder): DispatchOutcome {
    const call = { providerCallId: `v-${callId}`, state: 'queued', durationSeconds: null } as const
    this.calls.set(callId, call)
    return { outcome: 'dispatched', call, answer: { id: `v-${callId}`, status: 'queued', n: 1.5 } }
  }

  async dispatch(order: CallOrder): Promise<DispatchOutcome> {
    this.orders.push(order)
    return this.onDispatch(order)
  }

  async find({ callId }: { callId: string }): Promise<ProviderCall | null> {
    if (this.isAway) throw new Unreachable('away')
    return this.calls.get(callId) ?? null
  }

  async cancel(callId: string): Promise<ProviderCall> {
    if (this.isAway) throw new Unreachable('away')
    const call = this.calls.get(callId)
    if (!call) throw new CannotCancel('no such call')
    return { ...call, state: 'canceled' }
  }

  async parseCallback({ headers, body }: CallbackRequest): Promise<CallbackReport> {
    if (headers['x-secret'] !== 'sesame') throw new BadSignature('no')
    return JSON.parse(body.toString()) as CallbackReport
  }
}

export const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true'

/** Sends calls to a stand-in in place of Vapi. */
export function standInCalls(app: TestApp) {
  const real = providerMakers.vapi
  afterEach(() => {
    providerMakers.vapi = real
  })

  async function caller(): Promise<{ org: TestOrg; vapi: CallProviderStandIn }> {
    const vapi = new CallProviderStandIn()
    providerMakers.vapi = () => vapi
    const org = await app.newOrg()
    await org.post('/voice/numbers', { number: '+14155550123', provider_ref: 'ref-1' })
    expect((await org.patch('/voice/settings', { provider: 'vapi', credentials })).status).toBe(200)
    return { org, vapi }
  }

  const place = (org: TestOrg, key?: string, body: object = {}): Promise<Answer> =>
    placeCall(org, { to_number: '+12025550147', ...body }, key)

  const read = async (org: TestOrg, callId: string) => (await org.get(`/voice/calls/${callId}`)).body.data

  /** Polls providers as if `ms` milliseconds had passed. */
  const reconcile = (ms: number) => {
    const now = Date.now() + ms
    return reconcileAll(system(app.app.context.database), app.app.context, () => now)
  }

  /** Expires claims, as if their process had been killed. */
  const passTime = ({ orgId }: TestOrg) =>
    runAsOwner(
      app.databaseUrl,
      'update idempotency_key set busy_until = now() where org_id = $1 and unfinished is not null',
      [orgId],
    )

  const slots = async (org: TestOrg) => (await org.get('/voice/usage')).body.data.concurrent_calls

  return { caller, place, read, reconcile, passTime, slots }
}
