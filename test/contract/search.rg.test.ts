import { LocalSearch } from "../../adapters/runners/local/search/search.ts"
import { type OpenSearch, searchContract } from "./search.ts"

const open: OpenSearch = ({ fs, policyOf }) => new LocalSearch({ fs, policyOf, environment: process.env })

searchContract("rg", open)
searchContract("rg", open, "checked")
