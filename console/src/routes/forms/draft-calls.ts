import type { CallBackApproval, CreateFormCallBack, Form } from '../../../../sdk/src/generated/types.ts'
import { typedNumber } from '../../parts/typed-number.ts'

/** How a form calls people, while it is edited. */
export type DraftCalls = {
  approval: 'off' | CallBackApproval
  /** Codes of ISO 3166-1. */
  countries: readonly string[]
  start: string
  end: string
  /** Empty: none. */
  personaId: string
  /** Empty: the only number of the organization. */
  fromNumber: string
  instructions: string
  dailyLimit: string
}

export function draftCallsOf(callBack: Form['call_back']): DraftCalls {
  return {
    approval: callBack?.approval ?? 'off',
    countries: callBack?.countries ?? [],
    start: callBack?.hours.start ?? '09:00',
    end: callBack?.hours.end ?? '18:00',
    personaId: callBack?.persona_id ?? '',
    fromNumber: callBack?.from_number ?? '',
    instructions: callBack?.instructions ?? '',
    dailyLimit: String(callBack?.daily_limit ?? 20),
  }
}

/** What the form stores; null: it calls nobody. */
export function callBackOf({ approval, ...calls }: DraftCalls): CreateFormCallBack | null {
  if (approval === 'off') return null
  return {
    approval,
    countries: [...calls.countries],
    hours: { start: calls.start, end: calls.end },
    persona_id: calls.personaId || null,
    from_number: calls.fromNumber || null,
    instructions: calls.instructions.trim() || null,
    daily_limit: typedNumber(calls.dailyLimit),
  }
}
