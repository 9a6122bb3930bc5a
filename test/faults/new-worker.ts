import type { TestApp } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { type Child, type Environment, startServer } from '../support/processes.ts'

/** Starts a worker process on the database of `app`. By default it makes no checks for duplicates. */
export const newWorker = (app: Pick<TestApp, 'databaseUrl'>, environment: Environment = {}): Child =>
  startServer({
    DATABASE_URL: app.databaseUrl,
    ENCRYPTION_KEY: testKey.toString('base64'),
    ROLE: 'worker',
    DUPLICATE_CHECKS: '0',
    ...environment,
  })

/** Like `newWorker`, and waits until the process says that it is a worker. */
export async function startWorker(
  app: Pick<TestApp, 'databaseUrl'>,
  environment: Environment,
): Promise<Child> {
  const worker = newWorker(app, environment)
  await worker.says(/worker/i)
  return worker
}
