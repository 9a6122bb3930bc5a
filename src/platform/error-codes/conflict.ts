/** 409: the current state of the data does not allow the request. */
export const conflictCodes = {
  field_exists: {
    cause: 'The key of the field already has a definition.',
    cure: 'Change that definition, or use another key.',
  },
  field_values_unfit: {
    cause: 'Records have values that do not fit the definition of the field.',
    cure: 'Change these values first, or send `"existing": "convert"` or `"keep"`.',
  },
  field_converting: {
    cause: 'A job converts the values of the field.',
    cure: 'Wait until `conversion.state` of the field (GET /fields/{field_id}) is not `running`.',
  },
  field_values_repeated: {
    cause: 'Several records have the same value in a field that should become unique.',
    cure: 'Change or merge these records first. The text has examples.',
  },
  value_taken: {
    cause: 'Another active record has the same value in a unique field.',
    cure: 'Send another value, or change or merge the record that the text names, if it names one.',
  },
  import_running: {
    cause: 'An import writes the records whose fields the request changes.',
    cure: 'Send the request again when the import has ended.',
  },
  version_conflict: {
    cause: 'The version of the object differs from the one in `If-Match` or `version`.',
    cure: 'Read the object again, and repeat the change on its new version.',
  },
  record_archived: {
    cause: 'The object that the request changes or merges is archived.',
    cure: 'Restore it first.',
  },
  ambiguous_match: {
    cause: 'Several records match the value of `match_on`.',
    cure: 'Update one of the records that the text names, by its id.',
  },
  record_hidden: {
    cause:
      'A record that matches the value of `match_on` belongs to somebody whose records the member does not see.',
    cure: 'Ask an owner or admin of the organization for the record, or match on another field.',
  },
  references_moving: {
    cause: 'A job still moves references after a merge or an undo.',
    cure: 'Send the same request again after `Retry-After` seconds.',
  },
  last_owner: {
    cause: 'The change would leave the organization without an owner.',
    cure: 'Make another member an owner first.',
  },
  sso_untested: {
    cause: 'The request would require single sign-on, but nobody has signed in with the provider yet.',
    cure: 'Sign in with it once, then require it.',
  },
  last_sign_in_way: {
    cause: 'Without the passkey, the person could not sign in any more.',
    cure: 'Add a password or another passkey first.',
  },
  member_exists: {
    cause: 'A person with this e-mail address is already a member of the organization.',
    cure: 'Change the role of the member instead.',
  },
  limit_reached: {
    cause: 'The organization has reached the maximum number of objects of this type.',
    cure: 'Delete or reuse objects of this type. The text gives the limit.',
  },
  rotation_pending: {
    cause:
      'The secret of a webhook endpoint or the key of a write key was rotated, and the previous one still works.',
    cure: 'Rotate again after the time in the text.',
  },
  endpoint_disabled: {
    cause: 'The webhook endpoint is disabled.',
    cure: 'Enable it first.',
  },
  organization_deleted: {
    cause: 'The organization was deleted during the request.',
    cure: 'Use another organization.',
  },
  mode_mismatch: {
    cause: 'The mode of the call or job differs from the mode of the API key.',
    cure: 'Use a key of the mode that the text names.',
  },
  idempotency_key_in_use: {
    cause: 'The first request with this `Idempotency-Key` still runs.',
    cure: 'Send the same request again after `Retry-After` seconds.',
  },
  idempotency_answer_erased: {
    cause: 'The first request took effect, and a record of its answer was erased since then.',
    cure: 'No action is needed. For another request, use another idempotency key.',
  },
  idempotency_answer_sealed: {
    cause: 'The stored answer has a secret, and the retry uses another API key than the first request.',
    cure: 'Retry with the API key of the first request, or delete the object that the text names.',
  },
  api_key_already_rotated: {
    cause: 'The API key was already rotated; its old token works until the grace period ends.',
    cure: 'Rotate its successor, or create another key.',
  },
  rotation_after_expiry: {
    cause: 'The API key that is to be rotated has expired.',
    cure: 'Create another key.',
  },
  invitation_accepted: {
    cause: 'The invitation that is to be revoked was accepted.',
    cure: 'Cut the link to the client that the text names.',
  },
  own_invitation: {
    cause: 'The agency tried to accept its own invitation.',
    cure: 'Give the link to an owner of the client, or send the token with an API key that the client made itself.',
  },
  client_already_linked: {
    cause: 'The organization is a client of the agency already.',
    cure: 'No action is needed.',
  },
  deal_already_closed: {
    cause: 'The deal is closed with the other status.',
    cure: 'Reopen the deal first.',
  },
  stage_in_use: {
    cause: 'Open deals are in a stage that the new list lacks.',
    cure: 'Move or close these deals first. To change an archived deal, restore it first.',
  },
  import_not_revertible: {
    cause: 'The import has not ended, was reverted before, or is a dry run.',
    cure: 'Wait until it has ended, or cancel it. An import can be reverted once.',
  },
  detection_off: {
    cause: 'The detection of duplicates is off for this record type.',
    cure: 'Set its mode with `PATCH /duplicates/settings`.',
  },
  proposal_closed: {
    cause: 'The proposal was dismissed or applied, is out of date, or became a merge.',
    cure: 'Read `GET /duplicates/candidates`, or use the merge that the text names.',
  },
  record_merged: {
    cause: 'A record of the request is merged into another one.',
    cure: 'Send the id of the canonical record, or undo that merge first.',
  },
  verdict_different: {
    cause: 'A person decided that two of the records are different.',
    cure: 'Send `POST /duplicates/merge` with `"force": true` to merge them anyway.',
  },
  merge_not_applied: {
    cause: 'The merge is only a proposal, so it cannot be undone.',
    cure: 'Apply or dismiss the proposal.',
  },
  merge_already_undone: {
    cause: 'The merge is undone already.',
    cure: 'No action is needed. `POST /duplicates/redo-merge/{merge_id}` merges again.',
  },
  merge_not_undone: {
    cause: 'The merge is not undone, so there is nothing to redo.',
    cure: 'No action is needed.',
  },
  merge_too_large: {
    cause:
      'The merged record would have more than 500 ids, or its ids would have more than 2,000 values in a list.',
    cure: 'Merge fewer records into one.',
  },
  merge_erased: {
    cause: 'The records of the merge were erased.',
    cure: 'No action is possible.',
  },
  undo_expired: {
    cause: 'The merge is older than `undo_days` allows.',
    cure: 'Raise `undo_days` with `PATCH /duplicates/settings`.',
  },
  number_exists: {
    cause: 'The organization has this phone number already.',
    cure: 'Use the number of `GET /voice/numbers`.',
  },
  call_ended: {
    cause: 'The call that is to be canceled has ended.',
    cure: 'No action is needed.',
  },
  call_not_confirmed: {
    cause: 'The provider has not confirmed the call that is to be canceled.',
    cure: 'Wait until its status is neither `dispatching` nor `unknown`.',
  },
  call_not_cancelable: {
    cause: 'The provider cannot cancel the call, or the credentials of the provider were deleted.',
    cure: 'Enter the credentials again, or wait until the call ends.',
  },
  mailbox_exists: {
    cause: 'The organization has a mailbox with this address already.',
    cure: 'Change that mailbox.',
  },
  template_missing: {
    cause: 'The mailbox has no template.',
    cure: 'Give it one with `PATCH /signatures/mailboxes/{mailbox_id}`.',
  },
  template_invalid: {
    cause: 'The template does not compile with the fields of the mailbox.',
    cure: 'Correct the template at the place that the text names.',
  },
  template_in_use: {
    cause: 'Mailboxes use the template that is to be deleted.',
    cure: 'Give these mailboxes another template first.',
  },
  submission_reverted: {
    cause: 'The submission to mark as spam was reverted.',
    cure: 'Restore the submission first.',
  },
  call_back_request_decided: {
    cause: 'The call-back request was approved, declined or refused, or it expired.',
    cure: 'Do not send it again: each request leads to at most one call. To call the person again, use `POST /voice/calls`.',
  },
  call_back_request_expired: {
    cause: 'The call-back request is older than 7 days.',
    cure: 'Call the person with `POST /voice/calls`, if they still expect a call.',
  },
  call_back_request_other_mode: {
    cause: 'The call-back request has another mode than the API key.',
    cure: 'Approve it with an API key of its mode. In the console, switch to its mode.',
  },
  form_has_submissions: {
    cause: 'The form to delete has submissions.',
    cure: 'Archive the form instead: send `"status": "archived"`.',
  },
  segment_in_use: {
    cause: 'Webhook endpoints use the segment that is to be deleted.',
    cure: 'Give these endpoints another segment, or none (`"segment_id": null`). Test endpoints count as well: a test API key shows them.',
  },
  template_unused: {
    cause: 'No mailbox uses the template that is to be installed.',
    cure: 'Assign the template to a mailbox first.',
  },
  job_not_ended: {
    cause: 'The CRM job that is to be retried still runs.',
    cure: 'Cancel it, or wait until it ends.',
  },
  job_already_ended: {
    cause: 'The CRM job, import or bulk change that is to be canceled has ended.',
    cure: 'No action is needed.',
  },
  job_refused: {
    cause:
      'The CRM job that is to be retried was refused, because it would push more people than the threshold.',
    cure: 'Push again with `"large_population_confirmed": true`.',
  },
  nothing_to_retry: {
    cause: 'No person of the CRM job is left to push, or the job ended before it selected its people.',
    cure: 'To push again, send a new push.',
  },
} as const
