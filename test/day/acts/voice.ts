import { chance, newNonce, oneOf } from '../dice.ts'
import type { Act, Acts, Visit } from './act.ts'

// Numbers of docs/reference/voice-providers.md for different behaviors of the simulator. A refused one gets 502.
const simulated = ['0100', '0100', '0101', '0103', '0104', '0104', '0110', '0111', '0112', '0114', '0115']
const outside = { vapi: true } as const

let numbers = 0

const addNumber: Act = async (visit) => {
  const number = `+1415555${String(numbers++).padStart(4, '0')}`
  if (numbers > 9_000 || visit.pool('number').length >= 5) return visit.send('list_voice_numbers')
  const sent = (nonce: string) => ({ body: { number, label: visit.text(nonce) } })
  const told = await visit.create('voice_number', 'create_voice_number', sent, (body) => body.data.number_id)
  if (told) visit.keep('number', `${told.body.data.number_id} ${number}`)
}

const removeNumber: Act = async (visit) => {
  if (visit.pool('number').length < 2) return addNumber(visit)
  const [number_id] = visit.take('number')!.split(' ')
  const request = { params: { number_id: number_id! }, allow: [404] }
  await visit.change(
    'voice_number',
    number_id!,
    { $there: 'no' },
    'delete_voice_number',
    request,
    'voice_number.deleted',
  )
}

const place: Act = async (visit) => {
  const from = visit.pick('number')
  if (!from) return addNumber(visit)
  const isOutside = visit.pool('provider')[0] !== undefined && outside[visit.pool('provider')[0] as 'vapi']
  const mode = chance(0.3) ? 'test' : 'live'
  const persona_id = chance(0.3) ? visit.pick('persona') : undefined
  const end = isOutside && mode === 'live' ? '0100' : oneOf(simulated)
  const nonce = newNonce()
  const body = {
    ...{ to_number: `+1202555${end}`, from_number: from.split(' ')[1], instructions: visit.text(nonce) },
    ...{ metadata: { nonce, marker: visit.actor.marker }, ...(persona_id && { persona_id }) },
  }
  if (chance(0.1))
    return visit.send('place_call', { body: { ...body, dry_run: true }, mode, allow: [400, 429] })
  const creation = visit.ledger.begin('call', visit.actor.orgId, nonce)
  // Allowed: the number was removed, the persona was archived, or the simulator refused.
  const told = await visit.send('place_call', { body, mode, allow: [400, 502, 429] })
  if (!told.ok) return
  visit.ledger.acknowledge(creation, told.body.call_id)
  visit.keep('call', told.body.call_id)
}

const read: Act = async (visit) => {
  const call_id = visit.pick('call')
  if (!call_id) return place(visit)
  await visit.send('get_call', { params: { call_id } })
  await visit.send('list_calls', {
    query: oneOf([{ limit: 20 }, { status: 'completed' }, { to_number: '+12025550100' }]),
  })
}

const cancel: Act = async (visit) => {
  const call_id = visit.take('call')
  if (!call_id) return place(visit)
  const told = await visit.send('cancel_call', { params: { call_id }, allow: [409, 502] })
  // The status of an ended call is final, whatever its provider reports later.
  const value = told.ok ? told.body.data.status : null
  if (value !== 'canceled' && value !== 'completed') return
  const { sentAt, answeredAt: endAt } = told
  visit.ledger.write('call', call_id, 'status', { value, sentAt, endAt, acknowledged: true })
}

const settings: Act = async (visit) => {
  const { body } = await visit.send('get_voice_settings')
  if (chance(0.6)) return
  const concurrent_call_cap = 900 + Math.floor(Math.random() * 100)
  const request = { body: { concurrent_call_cap }, ifMatch: body.data.version, allow: [409] }
  const fields = { concurrent_call_cap: String(concurrent_call_cap) }
  await visit.change('voice_settings', visit.actor.orgId, fields, 'update_voice_settings', request)
}

const usage: Act = (visit: Visit) => visit.send('get_voice_usage')

export const voiceActs: Acts = [
  [1, addNumber],
  [0.5, removeNumber],
  [5, place],
  [3, read],
  [1, cancel],
  [1, settings],
  [1, usage],
]
