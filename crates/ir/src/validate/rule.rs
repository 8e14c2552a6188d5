//! The rules by name.

macro_rules! rules {
    ($($variant:ident $name:literal $sentence:literal;)*) => {
        /// A rule that a valid program keeps.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = $sentence] $variant,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant,)*];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Rule::$variant => $name,)*
                }
            }

            /// What it asks for.
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Rule::$variant => $sentence,)*
                }
            }
        }
    };
}

rules! {
    IdInRange "id-in-range" "Every id names something that is declared.";
    NameEmpty "name-empty" "No name is empty.";
    NameUnique "name-unique" "No two things of one kind have one name.";
    Threads "threads" "There is at least one thread.";
    TypeFormed "type-formed" "Bit vectors have 1 to 65536 bits, maps have an index, types nest at most 64 deep.";
    SyncPlacement "sync-placement" "Only globals and the cells of global maps are synchronization objects.";
    SyncValue "sync-value" "Only synchronization ops touch synchronization objects.";
    SyncInit "sync-init" "A synchronization object has no initial value.";
    LiteralRange "literal-range" "The value of a bit vector literal fits its width.";
    OperandType "operand-type" "Each operand has the type that its operator needs.";
    DeclaredType "declared-type" "The type noted at a use is the type of the declaration.";
    ApplyArity "apply-arity" "A function is applied to one argument per parameter.";
    MapArity "map-arity" "A map is indexed by one index per argument of its type.";
    BitRange "bit-range" "Extracted bits exist, and an extension does not shorten.";
    BoundScope "bound-scope" "A bound variable is bound around its use, at its level and with its type.";
    LocalScope "local-scope" "A local is one of the procedure that it is used in.";
    Closed "closed" "Function bodies, axioms and initial values use no variable and not `self`.";
    FunctionBody "function-body" "The body of a function has the type of its result.";
    FunctionRecursive "function-recursive" "No function is defined by itself.";
    InitType "init-type" "An initial value has the type of its global.";
    ConditionBool "condition-bool" "Axioms and the conditions of ops are of type bool.";
    Parameters "parameters" "Parameters and results are different locals.";
    BlockEnd "block-end" "A block ends with a terminator and has no other.";
    AssignCount "assign-count" "An assignment has one value per target.";
    AssignType "assign-type" "What is assigned has the type of its target.";
    AssignTwice "assign-twice" "One op does not assign a variable or cell twice.";
    CallArity "call-arity" "A call or spawn has one argument per parameter, and all results or none.";
    CallType "call-type" "Arguments have the types of parameters; results have the types of their targets.";
    WaitTask "wait-task" "A wait is for a task, and a spawn gives one.";
    ChooseTargets "choose-targets" "A choice has a target, and its fair target is one of them.";
    SyncType "sync-type" "A synchronization op suits the type of its object.";
    SyncOperands "sync-operands" "A synchronization op has the value, mutex and result of its kind.";
    SyncStable "sync-stable" "The object of an op of two steps is the same in both: its indices read no global and no result.";
    AtomicBalance "atomic-balance" "Each way to a block is in equally many atomic sections; none ends unbegun.";
    AtomicReturn "atomic-return" "No procedure returns inside an atomic section.";
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
