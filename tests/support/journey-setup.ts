import { afterEach } from "vitest";
import { closePages } from "./browser.ts";

// Runs before each journeys' file: files share a process, with its modules and its browser.
afterEach(closePages);
