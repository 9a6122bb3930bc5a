import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { withClient } from '../support/direct-sql.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test.each(['own', 'team'])(
  'a member with the record access %s creates a record while the membership of a colleague changes',
  async (access) => {
    const org = await app.newOrg()
    const [member, colleague] = [await newMember(app, org.orgId, 'member'), await newMember(app, org.orgId)]
    const memberIds = [member.memberId, colleague.memberId]
    const teamId = crypto.randomUUID()
    await runAsOwner(
      app.databaseUrl,
      `insert into team (org_id, team_id, name, created_at, updated_at) values ($1, $2, 'North', now(), now())`,
      [org.orgId, teamId],
    )
    await runAsOwner(
      app.databaseUrl,
      'insert into team_member (org_id, team_id, member_id) select $1, $2, unnest($3::uuid[])',
      [org.orgId, teamId, memberIds],
    )
    await runAsOwner(app.databaseUrl, 'update membership set record_access = $1 where member_id = $2', [
      access,
      member.memberId,
    ])
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('select from membership where member_id = $1 for update', [colleague.memberId])
      const { status, body } = await member.post('/contacts', { first_name: 'Ada' })
      expect([status, body.data.owner_id]).toEqual([201, member.memberId])
      await client.query('rollback')
    })
  },
)
