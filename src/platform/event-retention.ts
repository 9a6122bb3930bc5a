/** `days`: how long events are kept. `folder`: where months are exported; null: they are dropped without an export. */
export type EventRetention = { readonly days: number; readonly folder: string | null }

export const folderMissing =
  'EVENT_EXPORT_DIR is required with EVENT_RETENTION_DAYS: a folder for the exports of months, or none to drop them without an export'

/** @param folder `none` or a folder */
export const eventRetentionOf = (
  days: number | undefined,
  folder: string | undefined,
): EventRetention | null =>
  days === undefined || folder === undefined ? null : { days, folder: folder === 'none' ? null : folder }
