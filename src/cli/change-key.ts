import { openInstallation } from '../installation.ts'
import { readConfig } from '../platform/config.ts'
import { OperatorError } from '../platform/report.ts'
import { changeActiveKey, type KeyChange } from '../platform/setup/change-key.ts'
import { foreignSecrets } from '../platform/setup/describe-key-change.ts'
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
      if (oldKey?.equals(rootKey))
        throw new OperatorError(
          'ENCRYPTION_KEY and OLD_ENCRYPTION_KEY are the same key: set ENCRYPTION_KEY to the new one.',
        )
      await prepareDatabase(databaseUrl, rootKey, log, null, { oldKey })
      const change = await changeActiveKey(databaseUrl, rootKey, oldKey, log)
      print(documentOf(change), linesOf(change))
      const open = [change.late, foreignSecrets(change.foreign, oldKey !== null)].filter(
        (each) => each !== null,
      )
      if (open.length > 0) throw new OperatorError(open.join('\n'))
    } finally {
      await embedded?.stop('smart')
    }
  },
}

const documentOf = ({ changed, resealed, unopened, foreign, late }: KeyChange) => ({
  ...{ changed, resealed, unopened, of_another_key: foreign },
  old_key_may_go: late === null && foreign === 0,
})

const linesOf = ({ changed, resealed, unopened, foreign, late }: KeyChange) => [
  changed ? 'ENCRYPTION_KEY is now the active key.' : 'ENCRYPTION_KEY was already the active key.',
  `Secrets sealed again: ${resealed}.`,
  ...unopened.map(
    ({ org_id: orgId, name }) =>
      `${name} of ${orgId} was changed in the database, and does not open: the organization must enter it again.`,
  ),
  ...(late === null && foreign === 0
    ? ['No secret needs the old key any more: start every node again without OLD_ENCRYPTION_KEY.']
    : []),
]
