import { chance, newNonce, oneOf } from '../dice.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

// Numbers of docs/reference/voice-providers.md for different behaviors of the simulator. A refused one gets 502.
const simulated = ['0100', '0100', '0101', '0103', '0104', '0104', '0110', '0111', '0112', '0114', '0115']
const outside = { vapi: true } as const

let numbers = 0

const addNumber: Action = async (api) => {
  const number = `+1415555${String(numbers++).padStart(4, '0')}`
  if (numbers > 9_000 || api.pool('number').length >= 5) return api.send('list_voice_numbers')
  const sent = (nonce: string) => ({ body: { number, label: api.text(nonce) } })
  const answer = await api.create('voice_number', 'create_voice_number', sent, (body) => body.data.number_id)
  if (answer) api.keep('number', `${answer.body.data.number_id} ${number}`)
}

const removeNumber: Action = async (api) => {
  if (api.pool('number').length < 2) return addNumber(api)
  const [number_id] = api.take('number')!.split(' ')
  const request = { params: { number_id: number_id! }, allow: [404] }
  await api.change(
    'voice_number',
    number_id!,
    { $there: 'no' },
    'delete_voice_number',
    request,
    'voice_number.deleted',
  )
}

const place: Action = async (api) => {
  const from = api.pick('number')
  if (!from) return addNumber(api)
  const isOutside = api.pool('provider')[0] !== undefined && outside[api.pool('provider')[0] as 'vapi']
  const mode = chance(0.3) ? 'test' : 'live'
  const persona_id = chance(0.3) ? api.pick('persona') : undefined
  const end = isOutside && mode === 'live' ? '0100' : oneOf(simulated)
  const nonce = newNonce()
  const body = {
    ...{ to_number: `+1202555${end}`, from_number: from.split(' ')[1], instructions: api.text(nonce) },
    ...{ metadata: { nonce, marker: api.actor.marker }, ...(persona_id && { persona_id }) },
  }
  if (chance(0.1))
    return api.send('place_call', { body: { ...body, dry_run: true }, mode, allow: [400, 429] })
  const creation = api.ledger.begin('call', api.actor.orgId, nonce)
  // Allowed: the number was removed, the persona was archived, or the simulator refused.
  const answer = await api.send('place_call', { body, mode, allow: [400, 502, 429] })
  if (!answer.ok) return
  api.ledger.acknowledge(creation, answer.body.call_id)
  api.keep('call', answer.body.call_id)
}

const read: Action = async (api) => {
  const call_id = api.pick('call')
  if (!call_id) return place(api)
  await api.send('get_call', { params: { call_id } })
  await api.send('list_calls', {
    query: oneOf([{ limit: 20 }, { status: 'completed' }, { to_number: '+12025550100' }]),
  })
}

const cancel: Action = async (api) => {
  const call_id = api.take('call')
  if (!call_id) return place(api)
  const answer = await api.send('cancel_call', { params: { call_id }, allow: [409, 502] })
  // The status of an ended call is final, even if its provider reports another one later.
  const value = answer.ok ? answer.body.data.status : null
  if (value !== 'canceled' && value !== 'completed') return
  const { sentAt, answeredAt: endAt } = answer
  api.ledger.write('call', call_id, 'status', { value, sentAt, endAt, acknowledged: true })
}

const settings: Action = async (api) => {
  const { body } = await api.send('get_voice_settings')
  if (chance(0.6)) return
  const concurrent_call_cap = 900 + Math.floor(Math.random() * 100)
  const request = { body: { concurrent_call_cap }, ifMatch: body.data.version, allow: [409] }
  const fields = { concurrent_call_cap: String(concurrent_call_cap) }
  await api.change('voice_settings', api.actor.orgId, fields, 'update_voice_settings', request)
}

const usage: Action = (api: ActorClient) => api.send('get_voice_usage')

export const voiceActs: WeightedActions = [
  [1, addNumber],
  [0.5, removeNumber],
  [5, place],
  [3, read],
  [1, cancel],
  [1, settings],
  [1, usage],
]
