/**
 * Loads `.env` of the working directory, where there is one: `node --import` runs this before a main. Node's own option for
 * it prints a line where there is none. It is the first that a start loads, so it also turns the compile cache on.
 */
import './compile-cache.ts'
import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'

if (existsSync('.env')) loadEnvFile('.env')
