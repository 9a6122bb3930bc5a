/** Codes of the `error` of a resource, such as an import or a push. No error answer has them. */
export const backgroundCodes = {
  row_unreadable: {
    cause: 'A row of a CSV file has more values than the header has columns, or a wrong quotation mark.',
    cure: 'Correct the row, and import it again.',
  },
  record_exists: {
    cause:
      'A row of an export has the id of a record of this organization. An import of the row would create a duplicate.',
    cure: 'Import the file with `match_on=contact_id` or `match_on=company_id`.',
  },
  file_unusable: {
    cause: 'The server cannot read the file of the import, or the file has no usable header.',
    cure: 'Correct the file, and import it again.',
  },
  mapping_unusable: {
    cause: 'The `mapping` of an import does not fit its file.',
    cure: 'Correct the mapping, and import the file again.',
  },
  nothing_imported: {
    cause: 'No row of an import was stored: every row was refused, or the file has no rows.',
    cure: 'Read the reasons of the refused rows, correct the file or the mapping, and import the file again.',
  },
  interrupted: {
    cause: 'The command that ran the import stopped before the end of the import.',
    cure: 'Revert the import, and start it again.',
  },
  sender_removed: {
    cause:
      'The record access of the member who started the import or the bulk change was limited, and the member was removed from the organization.',
    cure: 'Let a member of the organization start it again.',
  },
  filter_unusable: {
    cause:
      'The filter of a bulk change cannot be used any more, for example because a field changed its type.',
    cure: 'Start a bulk change with another filter. The records that were not changed stay as they are.',
  },
  revert_failed: {
    cause: 'The revert of an import failed.',
    cure: 'Revert it again.',
  },
  mailbox_deleted: {
    cause: 'The mailbox of a push was deleted.',
    cure: 'No action is needed.',
  },
  provider_refused: {
    cause: 'The provider of signatures refused to install the signature.',
    cure: 'Solve the problem that the text of the provider describes, and push again.',
  },
  provider_unavailable: {
    cause: 'The provider of signatures does not answer.',
    cure: 'Wait: the push is retried.',
  },
  call_never_dialed: {
    cause: 'The provider does not have the call: nobody was called.',
    cure: 'Place the call again.',
  },
  call_end_unknown: {
    cause: 'The provider did not report the end of the call, and no longer has the call.',
    cure: 'Look at the log of the provider, then decide whether to call again.',
  },
  call_result_unknown: {
    cause: 'The provider did not report the result of the call within a day.',
    cure: 'Look at the log of the provider, then decide whether to call again.',
  },
  access_refused: {
    cause: 'The CRM refused the credentials of the connection.',
    cure: 'Send new credentials for the connection.',
  },
  crm_unusable: {
    cause: 'The CRM does not accept something that the job needs. For example, it lacks a field.',
    cure: 'Do what the text says, and push again.',
  },
  not_reachable: {
    cause: 'The contact is archived or erased, or has no e-mail address and no phone number.',
    cure: 'Restore the contact, or give it an address or a number.',
  },
  merged: {
    cause: 'The contact is merged into another one, which the job also pushes.',
    cure: 'No action is needed.',
  },
  duplicate: {
    cause: 'The CRM refused the person as a duplicate of another record.',
    cure: 'Merge the two records in the CRM, or turn on `allow_duplicates` in the settings of the connection.',
  },
  refused: {
    cause: 'The CRM refused the person.',
    cure: 'Solve the problem that the text of the CRM describes, and push again.',
  },
  not_tried: {
    cause: 'The job ended before the person was tried.',
    cure: 'Retry the job.',
  },
} as const
