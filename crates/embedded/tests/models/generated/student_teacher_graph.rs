//! Students, teachers, classes and homes
//!
//! Tables, entities and access patterns of the model `student-teacher-graph`, written by `monotable
//! model export --to rust`.

use monotable::db::Query;
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(
    name = "data",
    pk = "PK",
    sk = "SK",
    type_attr = "TYPE",
    entities(Student, Teacher, Class, Home,)
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSI1PK": string,
    sk = "GSI1SK": string,
)]
pub struct Data;

/// The entity `Student`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "STUDENT")]
#[key(by_student: pk = "STUDENT#{student:upper}", sk = "STUDENT#{student:upper}")]
#[index(Gsi1 by_student_in_gsi1: pk = "STUDENT#{student:upper}", sk = "STUDENT#{student:upper}")]
pub struct Student {
    /// The name
    #[attr(name = "Student", max_len = 60)]
    pub student: String,
}

/// The entity `Teacher`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "TEACHER")]
#[key(by_teacher: pk = "TEACHER#{teacher:upper}", sk = "TEACHER#{teacher:upper}")]
#[index(Gsi1 by_teacher_in_gsi1: pk = "TEACHER#{teacher:upper}", sk = "TEACHER#{teacher:upper}")]
pub struct Teacher {
    /// The name
    #[attr(name = "Teacher", max_len = 60)]
    pub teacher: String,
}

/// A student is taught a subject by a teacher
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "CLASS")]
#[key(by_student:
    pk = "STUDENT#{student:upper}",
    sk = "TEACHER#{teacher:upper}#CLASS#{subject:upper}",
)]
#[index(Gsi1 by_teacher:
    pk = "TEACHER#{teacher:upper}",
    sk = "CLASS#{subject:upper}#STUDENT#{student:upper}",
)]
pub struct Class {
    /// The attribute `Subject`.
    #[attr(name = "Subject", max_len = 40)]
    pub subject: String,
    /// The attribute `Teacher`.
    #[attr(name = "Teacher", max_len = 60)]
    pub teacher: String,
    /// The attribute `Student`.
    #[attr(name = "Student", max_len = 60)]
    pub student: String,
}

/// Where a student lives, from broad to narrow
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "HOME")]
#[key(by_student: pk = "STUDENT#{student:upper}", sk = "HOME#{country}#{state}#{city:snake}")]
#[index(Gsi1 by_country:
    pk = "COUNTRY#{country}",
    sk = "{state}#{city:snake}#STUDENT#{student:upper}",
)]
pub struct Home {
    /// The attribute `Country`.
    #[attr(name = "Country", max_len = 3)]
    pub country: String,
    /// The attribute `State`.
    #[attr(name = "State", max_len = 3)]
    pub state: String,
    /// The attribute `City`.
    #[attr(name = "City", max_len = 50)]
    pub city: String,
    /// The attribute `Student`.
    #[attr(name = "Student", max_len = 60)]
    pub student: String,
}

/// What a partition holds together: Home, Class, Student.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "STUDENT#{student:upper}")]
pub enum HomeOrStudentOrClass {
    /// The entity [`Home`].
    Home(Home),
    /// The entity [`Class`].
    Class(Class),
    /// The entity [`Student`].
    Student(Student),
}

/// What a partition of `GSI1` holds together: Class, Teacher.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, index = Gsi1, parts(teacher: String), pk = "TEACHER#{teacher:upper}")]
pub enum TeacherOrClass {
    /// The entity [`Class`].
    Class(Class),
    /// The entity [`Teacher`].
    Teacher(Teacher),
}

/// Access pattern: student with all relations.
pub fn student_with_all_relations(db: &Db<Data>, student: &str) -> Query<HomeOrStudentOrClass> {
    db.query(HomeOrStudentOrClass::of(student).span())
}

/// Access pattern: classes of a student.
pub fn classes_of_a_student(db: &Db<Data>, student: &str) -> Query<class::ByStudent> {
    db.query(Class::by_student(student))
}

/// Access pattern: classes of a student with a teacher.
pub fn classes_of_a_student_with_a_teacher(
    db: &Db<Data>,
    student: &str,
    teacher: &str,
) -> Query<class::ByStudent> {
    db.query(Class::by_student(student).teacher(teacher))
}

/// Access pattern: teacher with classes and students.
pub fn teacher_with_classes_and_students(db: &Db<Data>, teacher: &str) -> Query<TeacherOrClass> {
    db.query(TeacherOrClass::of(teacher).span())
}

/// Access pattern: students who live in a state.
pub fn students_who_live_in_a_state(
    db: &Db<Data>,
    country: &str,
    state: &str,
) -> Query<home::ByCountry> {
    db.query(Home::by_country(country).state(state))
}
