import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { boolean, id } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

export const Approval = z
  .object({
    effect_id: shown.id('The id of the call.'),
    tool: shown.text('The tool that was called.', 'place_call'),
    question: shown.text('The question that the person answers.', 'Call +14155550100 from +14155550101?'),
    facts: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The expected effect of the call.', examples: [{ to_number: '+14155550100' }] }),
    asked_by: shown.text(
      'The API key, the agency whose key it is, or the person and the app.',
      'Ada via Claude',
    ),
    mode: shown.mode('live: the effect is real. test: it is simulated.'),
    created_at: shown.time('When the tool was called.'),
    expires_at: shown.time('The time until which a person can decide.'),
  })
  .meta({ title: 'Approval' })

export const DecideApprovals = z
  .object({
    effect_ids: list(id(), { min: 1, max: 100 }).describe('The calls.'),
    approved: boolean().describe('true: the calls may run. false: they are declined.'),
  })
  .meta({ title: 'DecideApprovals' })

export const ApprovalDecision = z
  .object({
    effect_id: shown.id('The id of the call.'),
    outcome: shown.word(
      'ApprovalOutcome',
      ['approved', 'declined', 'approved_before', 'declined_before', 'expired'],
      '`approved_before`, `declined_before`: somebody decided otherwise before. `expired`: nobody decided in time, the app or key that asked is gone or lost the permission, or the call is not yours to decide.',
    ),
  })
  .meta({ title: 'ApprovalDecision' })
