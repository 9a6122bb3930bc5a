import { chance, oneOf } from '../dice.ts'
import type { Act, Acts } from './act.ts'

const usage: Act = async (visit) => {
  await visit.send('get_tracking_usage', {
    query: { step: oneOf(['hour', 'day']), mode: oneOf(['live', 'test']) },
  })
  await visit.send('list_web_events', { query: { limit: 10 } })
}

const settings: Act = async (visit) => {
  await visit.send('get_tracking_settings')
  if (chance(0.7)) return
  const retention_days = 30 + Math.floor(Math.random() * 100)
  const fields = { retention_days: String(retention_days) }
  const request = { body: { retention_days } }
  await visit.change('tracking_settings', visit.actor.orgId, fields, 'update_tracking_settings', request)
}

export const trackingActs: Acts = [
  [1, usage],
  [0.5, settings],
]
