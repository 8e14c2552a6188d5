//! The command line from outside: the built binary, its output, its exit codes.

mod bad_input;
mod budget;
mod exit_codes;
mod formats;
mod interchange;
mod programs;
mod responds;
mod sandbox;
mod sequentialize;
mod solvers;
mod story;
mod tampering;
mod witness;
