import { oneOf } from '../dice.ts'
import { type Action, ActorClient, type WeightedActions } from './action.ts'

const link: Action = async (api) => {
  const { actor: agency, requests } = api
  if (!agency.isAgency || agency.target !== null) return api.send('list_agencies')
  const answer = await api.send('create_agency_invitation', { body: { label: api.text() } })
  if (!answer.ok) return
  const { invitation_id, token } = answer.body.data
  const params = { invitation_id }
  await api.send('get_agency_invitation', { params })
  await api.send('list_agency_invitations', { query: { limit: 10 } })
  const others = requests.actors.filter(({ isAgency, target }) => !isAgency && target === null)
  if (others.length === 0) return
  const client = oneOf(others)
  for (const [one, other] of [
    [agency, client],
    [client, agency],
  ] as const)
    for (const seen of [other.orgId, other.marker]) one.relatives.add(seen)
  const guest = new ActorClient(client, requests)
  // 409: the two organizations are already linked.
  const invited = { body: { token }, allow: [409] }
  await guest.send('preview_agency_invitation', invited)
  await guest.send('accept_agency_invitation', invited)
  await guest.send('list_agencies')
  const org = { params: { org_id: client.orgId }, allow: [404] }
  await api.send('get_agency_client', org)
  if (oneOf(['agency', 'client']) === 'agency') await api.send('cut_agency_client', org)
  else await guest.send('cut_agency', { params: { org_id: agency.orgId }, allow: [404] })
}

const revoke: Action = async (api) => {
  if (!api.actor.isAgency || api.actor.target !== null) return api.send('list_agencies')
  const answer = await api.send('create_agency_invitation', { body: {} })
  if (!answer.ok) return
  const { invitation_id } = answer.body.data
  // 404: an earlier try whose answer was lost has revoked the invitation.
  await api.send('revoke_agency_invitation', { params: { invitation_id }, allow: [404] })
}

const leave: Action = async (api) => {
  if (api.actor.isAgency || api.actor.target !== null) return
  const answer = await api.send('list_agencies')
  if (!answer.ok) return
  for (const { org_id } of answer.body.data)
    await api.send('cut_agency', { params: { org_id }, allow: [404] })
  if (answer.body.data.length === 0)
    await api.send('cut_agency', { params: { org_id: api.actor.orgId }, allow: [404] })
}

const usage: Action = async (api) => {
  if (!api.actor.isAgency || api.actor.target !== null) return api.send('list_agencies')
  const query = oneOf([{}, { month: new Date().toISOString().slice(0, 7) }])
  await api.send('list_agency_client_usage', { query: { ...query, limit: 10 } })
  await api.send('get_agency_usage_totals', { query })
  await api.send('export_agency_client_usage', { query })
}

export const agencyActs: WeightedActions = [
  [0.5, link],
  [0.2, revoke],
  [0.3, leave],
  [0.2, usage],
]
