import { openInstallation } from '../installation.ts'
import { readConfig } from '../platform/config.ts'
import { OperatorError } from '../platform/report.ts'
import { changeActiveKey, type KeyChange } from '../platform/setup/change-key.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { type Command, commandLog, requireDatabase } from './command.ts'

/** Changes the encryption key while servers run. */
export const changeKey: Command = {
  name: 'change-key',
  args: [],
  summary:
    'Make ENCRYPTION_KEY the active key, and seal all secrets of OLD_ENCRYPTION_KEY again, while servers run',
  async runWithoutDatabase(print) {
    const config = readConfig()
    requireDatabase(config)
    const log = commandLog(config)
    const { databaseUrl, rootKey, oldKey, embedded } = await openInstallation(config, log, 'guest')
    try {
      await prepareDatabase(databaseUrl, rootKey, log, null, { oldKey })
      const change = await changeActiveKey(databaseUrl, rootKey, oldKey, log)
      print(documentOf(change), linesOf(change))
      if (change.late !== null) throw new OperatorError(change.late)
    } finally {
      await embedded?.stop('smart')
    }
  },
}

const documentOf = ({ changed, resealed, unopened, late }: KeyChange) => ({
  ...{ changed, resealed, unopened },
  old_key_may_go: late === null,
})

const linesOf = ({ changed, resealed, unopened, late }: KeyChange) => [
  changed ? 'ENCRYPTION_KEY is now the active key.' : 'ENCRYPTION_KEY was already the active key.',
  `Secrets sealed again: ${resealed}.`,
  ...unopened.map(
    ({ org_id: orgId, name }) =>
      `${name} of ${orgId} opens with neither key: the organization must enter it again.`,
  ),
  ...(late === null
    ? ['No secret needs the old key any more: start every node again without OLD_ENCRYPTION_KEY.']
    : []),
]
