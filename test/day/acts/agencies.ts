import { oneOf } from '../dice.ts'
import { type Act, type Acts, Visit } from './act.ts'

const link: Act = async (visit) => {
  const { actor: agency, requests } = visit
  if (!agency.isAgency || agency.target !== null) return visit.send('list_agencies')
  const told = await visit.send('create_agency_invitation', { body: { label: visit.text() } })
  if (!told.ok) return
  const { invitation_id, token } = told.body.data
  const params = { invitation_id }
  await visit.send('get_agency_invitation', { params })
  await visit.send('list_agency_invitations', { query: { limit: 10 } })
  const others = requests.actors.filter(({ isAgency, target }) => !isAgency && target === null)
  if (others.length === 0) return
  const client = oneOf(others)
  for (const [one, other] of [
    [agency, client],
    [client, agency],
  ] as const)
    for (const seen of [other.orgId, other.marker]) one.relatives.add(seen)
  const guest = new Visit(client, requests)
  // 409: the two organizations are already linked.
  await guest.send('accept_agency_invitation', { body: { token }, allow: [409] })
  await guest.send('list_agencies')
  const org = { params: { org_id: client.orgId }, allow: [404] }
  await visit.send('get_agency_client', org)
  if (oneOf(['agency', 'client']) === 'agency') await visit.send('cut_agency_client', org)
  else await guest.send('cut_agency', { params: { org_id: agency.orgId }, allow: [404] })
}

const revoke: Act = async (visit) => {
  if (!visit.actor.isAgency || visit.actor.target !== null) return visit.send('list_agencies')
  const told = await visit.send('create_agency_invitation', { body: {} })
  if (!told.ok) return
  const { invitation_id } = told.body.data
  // 404: an earlier try whose answer was lost has revoked the invitation.
  await visit.send('revoke_agency_invitation', { params: { invitation_id }, allow: [404] })
}

const leave: Act = async (visit) => {
  if (visit.actor.isAgency || visit.actor.target !== null) return
  const told = await visit.send('list_agencies')
  if (!told.ok) return
  for (const { org_id } of told.body.data)
    await visit.send('cut_agency', { params: { org_id }, allow: [404] })
  if (told.body.data.length === 0)
    await visit.send('cut_agency', { params: { org_id: visit.actor.orgId }, allow: [404] })
}

export const agencyActs: Acts = [
  [0.5, link],
  [0.2, revoke],
  [0.3, leave],
]
