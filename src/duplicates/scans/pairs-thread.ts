import { workerData } from 'node:worker_threads'
import { answerShards, type Scoring } from '../../matching/scoring.ts'
import { lowerPriority } from '../../platform/low-priority.ts'
import { likelyPairsOfShard } from './likely-pairs.ts'

lowerPriority()
answerShards(workerData as Scoring, likelyPairsOfShard)
