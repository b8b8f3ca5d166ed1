/**
 * Loads `.env` of the working directory, where there is one: `node --import` runs this before a main. Node's own option for
 * it prints a line where there is none.
 */
import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'

if (existsSync('.env')) loadEnvFile('.env')
