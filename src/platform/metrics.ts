import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { longestBusySeconds } from './busy-thread.ts'
import type { Database } from './db/database.ts'
import type { Supervised } from './processes/supervised.ts'
import type { RedisLink } from './rate-limit/redis-link.ts'

export type Metrics = {
  registry: Registry
  onAnswer(answer: { route: string; method: string; status: number; seconds: number }): void
  /** The Prometheus text exposition, and its content type. */
  expose(): Promise<{ contentType: string; text: string }>
}

/**
 * The metrics of a feature, registered at the first call.
 * @param make creates the metrics in the registry that it gets
 */
export function ownMetrics<Own>(
  make: (registers: Registry[]) => Own,
): (context: { registry: Registry }) => Own {
  const made = new WeakMap<Registry, Own>()
  return ({ registry }) => {
    const own = made.get(registry) ?? make([registry])
    made.set(registry, own)
    return own
  }
}

const lagSamples = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']
const oneDayMs = 86_400_000

/**
 * Node's own metrics, without samples of the event loop: they would wake an idle process 100 times a second.
 * `crosswalk_thread_busy_seconds` shows the delays that matter.
 */
function collectNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: oneDayMs })
  for (const each of lagSamples) registry.removeSingleMetric(`nodejs_eventloop_lag_${each}_seconds`)
}

/**
 * Returns the metrics of this process: answers by route, the database, Redis if used, and Node's own. With a
 * supervisor, `expose` returns the metrics of all its processes.
 */
export function createMetrics(
  database: Database,
  redis: RedisLink | null,
  supervised: Supervised | null,
): Metrics {
  const registry = new Registry()
  if (supervised) {
    registry.setDefaultLabels({ process: supervised.name })
    supervised.offerMetrics(() => registry.metrics())
  }
  collectNodeMetrics(registry)
  const answers = new Histogram({
    name: 'crosswalk_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  new Gauge({
    name: 'crosswalk_database_up',
    help: '1 while the database answers this process within a second, otherwise 0.',
    registers: [registry],
    async collect() {
      this.set((await database.answers(1_000)) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'crosswalk_database_connections',
    help: 'Connections of the pool by state; waiting counts requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.gauges())) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'crosswalk_thread_busy_seconds',
    help: 'The longest time in which the thread was too busy to read answers, in the last one to two minutes.',
    registers: [registry],
    collect() {
      this.set(longestBusySeconds())
    },
  })
  if (redis) {
    new Gauge({
      name: 'crosswalk_redis_up',
      help: '1 while rate limits are shared over Redis, 0 while this process counts alone.',
      registers: [registry],
      collect() {
        this.set(redis.isUp ? 1 : 0)
      },
    })
  }
  // Cached: finding a metric by its labels costs more than recording a value.
  const children = new Map<string, { observe(seconds: number): void }>()
  return {
    registry,
    onAnswer({ route, method, status, seconds }) {
      const key = `${method} ${route} ${status}`
      let child = children.get(key)
      if (!child) {
        child = answers.labels({ method, route, status: String(status) })
        children.set(key, child)
      }
      child.observe(seconds)
    },
    expose: async () => ({
      contentType: registry.contentType,
      text: await (supervised ? supervised.metricsOfAll() : registry.metrics()),
    }),
  }
}
