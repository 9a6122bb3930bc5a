import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { id, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

const name = text({ min: 1, max: 120, trim: true }).describe('The name of the team.')
const memberIds = list(id(), { min: 0, max: 500 }).describe('All members of the team.')

export const CreateTeam = z.object({ name, member_ids: memberIds.default([]) }).meta({ title: 'CreateTeam' })
export const UpdateTeam = z
  .object({ name: name.optional(), member_ids: memberIds.optional() })
  .meta({ title: 'UpdateTeam' })
export const TeamPath = z.object({ team_id: id().describe('The id of the team.') })

export const Team = z
  .object({
    team_id: shown.id('The id of the team.'),
    name: shown.text('The name of the team.', 'North'),
    member_ids: z.array(shown.id('The id of a member.')).describe('The members of the team.'),
    version: shown.version(),
    created_at: shown.time('When the team was created.'),
  })
  .meta({ title: 'Team' })
