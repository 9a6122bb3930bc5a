import { workerData } from 'node:worker_threads'
import { answerShards, type Scoring } from '../../matching/scoring.ts'
import { likelyPairsOfShard } from './likely-pairs.ts'

answerShards(workerData as Scoring, likelyPairsOfShard)
