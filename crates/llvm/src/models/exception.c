/* Exceptions in programs that throw some. What is thrown has a head before it, as in libstdc++, and each throw a record of its own: the
 * record is what handlers are given. Who unwinds is the program itself: `exceptions.rs` makes each call look whether something
 * is thrown. */
#include <stddef.h>

char *strdup(const char *text);
void free(void *at);

#define NAMED(name) __asm__(#name)

void *new_object(size_t size) NAMED(_Znwm);
void delete_object(void *at) NAMED(_ZdlPv);
void terminate(void) NAMED(_ZSt9terminatev) __attribute__((noreturn));

struct __raddle_exception {
  const void *type;
  void (*destroy)(void *);
  long references, unused;
};

struct __raddle_thrown {
  void *object;
  struct __raddle_thrown *next;
  /* How many handlers are at it; negative while it is thrown again. */
  long handlers;
};

/* What `exceptions.rs` gives in the place of a destructor if a pointer is thrown: handlers get the pointer itself. */
#define POINTER ((void (*)(void *))1)

__thread struct __raddle_thrown *__raddle_exception_thrown;
__thread struct __raddle_thrown *__raddle_exception_caught;

static struct __raddle_exception *head_of(void *object) { return (struct __raddle_exception *)object - 1; }

void *__cxa_allocate_exception(size_t size) {
  struct __raddle_exception *head = new_object(sizeof *head + size);
  return head + 1;
}
void __cxa_free_exception(void *object) { delete_object(head_of(object)); }

static void release(void *object) {
  struct __raddle_exception *head = head_of(object);
  if (__atomic_sub_fetch(&head->references, 1, __ATOMIC_SEQ_CST) != 0)
    return;
  if (head->destroy != NULL && head->destroy != POINTER)
    head->destroy(object);
  delete_object(head);
}

static void throw_object(void *object) {
  struct __raddle_thrown *thrown = new_object(sizeof *thrown);
  thrown->object = object;
  thrown->next = NULL;
  thrown->handlers = 0;
  __raddle_exception_thrown = thrown;
}

struct __raddle_exception *__cxa_init_primary_exception(void *object, const void *type, void (*destroy)(void *)) {
  struct __raddle_exception *head = head_of(object);
  head->type = type;
  head->destroy = destroy;
  head->references = 0;
  return head;
}

__attribute__((noinline)) void __cxa_throw(void *object, const void *type, void (*destroy)(void *)) {
  __cxa_init_primary_exception(object, type, destroy)->references = 1;
  throw_object(object);
}

__attribute__((noinline)) void __cxa_rethrow(void) {
  struct __raddle_thrown *thrown = __raddle_exception_caught;
  if (thrown == NULL)
    terminate();
  thrown->handlers = -thrown->handlers;
  __raddle_exception_thrown = thrown;
}

void *__cxa_get_exception_ptr(struct __raddle_thrown *thrown) {
  return head_of(thrown->object)->destroy == POINTER ? *(void **)thrown->object : thrown->object;
}

__attribute__((noinline)) void *__cxa_begin_catch(struct __raddle_thrown *thrown) {
  thrown->handlers = (thrown->handlers < 0 ? -thrown->handlers : thrown->handlers) + 1;
  if (__raddle_exception_caught != thrown) {
    thrown->next = __raddle_exception_caught;
    __raddle_exception_caught = thrown;
  }
  return __cxa_get_exception_ptr(thrown);
}

__attribute__((noinline)) void __cxa_end_catch(void) {
  struct __raddle_thrown *thrown = __raddle_exception_caught;
  if (thrown->handlers < 0) {
    if (++thrown->handlers == 0)
      __raddle_exception_caught = thrown->next;
  } else if (--thrown->handlers == 0) {
    void *object = thrown->object;
    __raddle_exception_caught = thrown->next;
    delete_object(thrown);
    release(object);
  }
}

/* What `exceptions.rs` calls. */
__attribute__((used, noinline)) void *__raddle_exception_pending(void) { return __raddle_exception_thrown; }
__attribute__((used, noinline)) void *__raddle_exception_land(void) {
  void *thrown = __raddle_exception_thrown;
  __raddle_exception_thrown = NULL;
  return thrown;
}
__attribute__((used, noinline)) const void *__raddle_exception_type(struct __raddle_thrown *thrown) {
  return head_of(thrown->object)->type;
}
__attribute__((used, noinline)) void __raddle_exception_resume(struct __raddle_thrown *thrown) { __raddle_exception_thrown = thrown; }
__attribute__((used, noinline)) void __raddle_exception_uncaught(void) { terminate(); }

/* std::exception_ptr: a pointer to what is thrown. */
void add_reference(void **self) NAMED(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv);
void add_reference(void **self) { __atomic_add_fetch(&head_of(*self)->references, 1, __ATOMIC_SEQ_CST); }
void remove_reference(void **self) NAMED(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv);
void remove_reference(void **self) {
  void *object = *self;
  *self = NULL;
  release(object);
}
void refer_to(void **self, void *object) NAMED(_ZNSt15__exception_ptr13exception_ptrC1EPv);
void refer_to(void **self, void *object) {
  *self = object;
  if (object != NULL)
    add_reference(self);
}
void current_exception(void **result) NAMED(_ZSt17current_exceptionv);
void current_exception(void **result) {
  struct __raddle_thrown *thrown = __raddle_exception_caught;
  refer_to(result, thrown == NULL ? NULL : thrown->object);
}
void rethrow_exception(void **self) NAMED(_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE);
__attribute__((noinline)) void rethrow_exception(void **self) {
  add_reference(self);
  throw_object(*self);
}

/* The exceptions of <stdexcept>: a vtable and a text. */
struct standard {
  const void *vtable;
  char *text;
};

void destroy_exception1(void *self) NAMED(_ZNSt9exceptionD1Ev);
void destroy_exception1(void *self) {}
void destroy_exception2(void *self) NAMED(_ZNSt9exceptionD2Ev);
void destroy_exception2(void *self) {}
void delete_exception(void *self) NAMED(_ZNSt9exceptionD0Ev);
void delete_exception(void *self) { delete_object(self); }
const char *what_exception(const void *self) NAMED(_ZNKSt9exception4whatEv);
const char *what_exception(const void *self) { return "std::exception"; }
extern const char type_exception[] NAMED(_ZTISt9exception);
const void *const table_exception[] NAMED(_ZTVSt9exception);
const void *const table_exception[] = {NULL, type_exception, destroy_exception1, delete_exception, what_exception};

#define WHAT(name)                                                                                                     \
  const char *what##name(const struct standard *self) NAMED(_ZNKSt##name##4whatEv);                                    \
  const char *what##name(const struct standard *self) { return self->text; }

/* `full` and `base` are the same constructor, for objects and for parts of objects. */
#define CONSTRUCTOR(name, which, end, type, text_of)                                                                   \
  void which(struct standard *self, type *from) NAMED(end);                                                            \
  void which(struct standard *self, type *from) {                                                                      \
    self->vtable = &table##name[2];                                                                                    \
    self->text = strdup(text_of);                                                                                      \
  }

#define STANDARD(name, what)                                                                                           \
  extern const char type##name[] NAMED(_ZTISt##name);                                                                  \
  void destroy1##name(struct standard *self) NAMED(_ZNSt##name##D1Ev);                                                 \
  void destroy1##name(struct standard *self) { free(self->text); }                                            \
  void destroy2##name(struct standard *self) NAMED(_ZNSt##name##D2Ev);                                                 \
  void destroy2##name(struct standard *self) { free(self->text); }                                            \
  void delete##name(struct standard *self) NAMED(_ZNSt##name##D0Ev);                                                   \
  void delete##name(struct standard *self) {                                                                           \
    free(self->text);                                                                                         \
    delete_object(self);                                                                                               \
  }                                                                                                                    \
  const void *const table##name[] NAMED(_ZTVSt##name);                                                                 \
  const void *const table##name[] = {NULL, type##name, destroy1##name, delete##name, what};                            \
  CONSTRUCTOR(name, text1##name, _ZNSt##name##C1EPKc, const char, from)                                                \
  CONSTRUCTOR(name, text2##name, _ZNSt##name##C2EPKc, const char, from)                                                \
  CONSTRUCTOR(name, string1##name, _ZNSt##name##C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,             \
              char *const, *from)                                                                                      \
  CONSTRUCTOR(name, string2##name, _ZNSt##name##C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,             \
              char *const, *from)                                                                                      \
  CONSTRUCTOR(name, copy1##name, _ZNSt##name##C1ERKS_, const struct standard, from->text)                              \
  CONSTRUCTOR(name, copy2##name, _ZNSt##name##C2ERKS_, const struct standard, from->text)

WHAT(11logic_error)
STANDARD(11logic_error, what11logic_error)
STANDARD(12domain_error, what11logic_error)
STANDARD(12length_error, what11logic_error)
STANDARD(12out_of_range, what11logic_error)
STANDARD(16invalid_argument, what11logic_error)
WHAT(13runtime_error)
STANDARD(13runtime_error, what13runtime_error)
STANDARD(11range_error, what13runtime_error)
STANDARD(14overflow_error, what13runtime_error)
STANDARD(15underflow_error, what13runtime_error)
